import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { validate } from 'dockerfile-utils';
import { Registry } from 'prom-client';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../config/config.ts';
import { ROLES } from '../config/environment.ts';
import { registerCounterMetrics } from '../delivery/counting/counter-metrics.ts';
import { registerFileMetrics } from '../platform/files/file-cache.ts';
import { commands } from '../cli/commands.ts';
import { testApp } from '@bidwell/testing/test-app';

const deploy = fileURLToPath(new URL('../../../../deploy/', import.meta.url));
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');
const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-deployment-'));
afterAll(() => rm(dataDir, { recursive: true }));

/** The roles of a process with these variables, as the server reads them. Throws what the server would print. */
const rolesOf = (environment: Record<string, string>) => [
  ...readConfig({ ...environment, DATA_DIR: dataDir }).roles,
];

const app = await testApp();
/** Metrics that only processes with an event stream and S3 have. */
const registry = new Registry();
const none = () => 0;
registerCounterMetrics(registry, {
  counter: { state: () => null },
  pairs: none,
  publishFailures: none,
  onRound: () => {},
});
registerFileMetrics(registry, { copies: { bytes: none, downloads: none } });
const metrics = (await app.http.inject('/metrics')).body + (await registry.metrics());
const known = new Set([...metrics.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name]) => name!));
const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_bucket$/, ''));
const metricsIn = (query: string) =>
  [...query.matchAll(/\b(?:bidwell|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);

test('the Dockerfile is valid', () => {
  expect(validate(read('Dockerfile'))).toEqual([]);
});

interface Compose {
  services: Record<
    string,
    {
      image?: string;
      build?: object;
      environment?: Record<string, string>;
      ports?: string[];
      volumes?: string[];
      depends_on?: string[] | Record<string, unknown>;
    }
  >;
  volumes: Record<string, null>;
}

describe('compose', () => {
  // Any value that is long enough for a secret.
  const text = read('compose/compose.yaml')
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll(/\$\{\w+:\?\}/g, 'x'.repeat(48));
  const { services, volumes } = parse(text, { merge: true }) as Compose;
  const processes = Object.entries(services).filter(([, { environment }]) => environment?.['ROLES']);

  test("the server accepts each process's settings, and the processes have every role", () => {
    const roles = processes.flatMap(([, { environment }]) => rolesOf(environment!));
    expect(new Set(roles)).toEqual(new Set(ROLES));
  });

  test('services, volumes and hosts that are named exist', () => {
    const hosts = [
      ...`${read('compose/nginx.conf')}${read('compose/prometheus/prometheus.yml')}`.matchAll(
        /\b([a-z]+(?:-\d)?):(?:8080|9090)\b/g,
      ),
    ];
    for (const [, host] of hosts) expect(Object.keys(services)).toContain(host);
    for (const { volumes: mounted = [], depends_on: needed = [] } of Object.values(services)) {
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed))
        expect(Object.keys(services)).toContain(name);
      for (const mount of mounted.filter((one) => !/^[./]/.test(one)))
        expect(Object.keys(volumes)).toContain(mount.split(':')[0]);
    }
  });

  test('an image is built once, also where services are built in parallel', () => {
    const built = Object.values(services).filter(({ build }) => build);
    expect(built.map(({ image }) => image)).toEqual([processes[0]![1].image]);
  });

  test('the proxy follows a container that gets another address', () => {
    const servers = [...read('compose/nginx.conf').matchAll(/^ *server .+:8080.*$/gm)].map(([line]) => line);
    expect(servers.length).toBeGreaterThan(0);
    for (const line of servers) expect(line).toContain(' resolve');
  });

  test('the console of operators is reached from the machine itself', () => {
    expect(services['api']!.ports).toContain(`127.0.0.1:9090:${services['api']!.environment!['ADMIN_PORT']}`);
  });

  test('messages that NATS has acknowledged survive a loss of power', () => {
    expect(read('compose/nats.conf')).toContain('sync_interval: always');
    expect(services['nats']!.volumes).toContain('./nats.conf:/etc/nats/nats.conf:ro');
  });

  test('each process is the user of NATS that its role has', () => {
    const users = [...read('compose/nats-users.conf').matchAll(/^ +user: (\w+)$/gm)].map(([, user]) => user);
    expect(users.toSorted()).toEqual([...ROLES].toSorted());
    for (const [, { environment }] of processes)
      expect(new URL(environment!['NATS_URL']!).username).toBe(environment!['ROLES']);
  });

  test('each process is scraped', () => {
    const scraped = read('compose/prometheus/prometheus.yml');
    for (const [name] of processes) expect(scraped).toContain(`${name}:9090`);
  });
});

interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    securityContext: { runAsNonRoot: boolean };
    containers: {
      args?: string[];
      env: { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }[];
      ports: { name: string; containerPort: number }[];
      securityContext: { readOnlyRootFilesystem: boolean };
      readinessProbe: { httpGet: { path: string } };
    }[];
  };
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    replicas?: number;
    selector?: Record<string, unknown>;
    scaleTargetRef?: { kind: string; name: string };
    rules?: { http: { paths: { backend: { service: { name: string } } }[] } }[];
    template?: PodTemplate;
    jobTemplate?: { spec: { template: PodTemplate } };
    podSelector?: { matchLabels: Record<string, string> };
  };
}

describe('kubernetes', () => {
  const { resources, labels } = parse(read('kubernetes/kustomization.yaml')) as {
    resources: string[];
    labels: { pairs: Record<string, string>; includeTemplates?: boolean }[];
  };
  const manifests = resources.flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
  );
  const variablesOf = (file: string) =>
    Object.fromEntries([...read(file).matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
  const pods = manifests.flatMap(({ spec }) => spec?.template ?? []);
  const named = (kind: string, name: string) =>
    manifests.find((one) => one.kind === kind && one.metadata.name === name);

  test('every manifest is part of the kustomization', () => {
    const files = readdirSync(join(deploy, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
    expect(files.filter((name) => name !== 'kustomization.yaml').sort()).toEqual(resources.toSorted());
  });

  test("the server accepts each pod's settings, and the pods have every role", () => {
    const settings = {
      ...variablesOf('kubernetes/settings.env'),
      ...variablesOf('kubernetes/secrets.example.env'),
    };
    const natsUrls = variablesOf('kubernetes/nats.example.env');
    const roles = pods.flatMap(({ spec }) => {
      const variable = (expected: string) => spec.containers[0]!.env.find(({ name }) => name === expected)!;
      const { key } = variable('NATS_URL').valueFrom!.secretKeyRef;
      expect(key).toBe(variable('ROLES').value);
      return rolesOf({ ...settings, ROLES: variable('ROLES').value!, NATS_URL: natsUrls[key]! });
    });
    expect(new Set(roles)).toEqual(new Set(ROLES));
  });

  test('pods have no rights, and are ready when the server says so', () => {
    for (const { spec } of pods) {
      const [container] = spec.containers;
      expect(spec.securityContext.runAsNonRoot).toBe(true);
      expect(container!.securityContext.readOnlyRootFilesystem).toBe(true);
      expect(container!.readinessProbe.httpGet.path).toBe('/readyz');
    }
  });

  test('the nightly job calls a command of the command line', () => {
    const [container] = named('CronJob', 'backup')!.spec.jobTemplate!.spec.template.spec.containers;
    expect(commands[container!.args![0]!]).toBeDefined();
  });

  test('the network policy selects every pod', () => {
    const added = labels.filter(({ includeTemplates }) => includeTemplates).map(({ pairs }) => pairs);
    const templates = [...pods, ...manifests.flatMap(({ spec }) => spec?.jobTemplate?.spec.template ?? [])];
    const selector = named('NetworkPolicy', 'bidwell')!.spec.podSelector!.matchLabels;
    for (const { metadata } of templates)
      expect(Object.assign({}, metadata.labels, ...added)).toMatchObject(selector);
  });

  test('only the autoscaler sets the number of pods that it scales', () => {
    const targets = manifests.flatMap(({ spec }) => spec?.scaleTargetRef ?? []);
    expect(targets.length).toBeGreaterThan(0);
    for (const { kind, name } of targets) expect(named(kind, name)?.spec.replicas, name).toBeUndefined();
  });

  test('objects that services, autoscalers, budgets and the ingress name exist', () => {
    const components = pods.map(({ metadata }) => metadata.labels['app.kubernetes.io/component']);
    for (const { kind, spec } of manifests) {
      const component = JSON.stringify(spec?.selector ?? {}).match(/component":"(\w+)"/)?.[1];
      if (component) expect(components).toContain(component);
      const target = spec?.scaleTargetRef;
      if (target) expect(named(target.kind, target.name)).toBeDefined();
      for (const { http } of kind === 'Ingress' ? spec.rules! : [])
        for (const { backend } of http.paths) expect(named('Service', backend.service.name)).toBeDefined();
    }
  });
});

describe('observability', () => {
  const { groups } = parse(read('observability/alerts.yml')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules);
  const { panels } = JSON.parse(read('observability/dashboards/bidwell.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };

  test('alerts and dashboards use metrics that the server has', () => {
    const queries = [
      ...alerts.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(queries.flatMap(metricsIn).filter((name) => !isKnown(name))).toEqual([]);
  });

  test('an alert for something that is missing fires where its metric is missing too', () => {
    for (const name of [
      'NoBids',
      'NoJobsLeader',
      'PartitionsUnowned',
      'ExchangeSilent',
      'BidsWithoutNotices',
    ])
      expect(alerts.find(({ alert }) => alert === name)!.expr).toMatch(
        /\bunless\b|\babsent\(|or vector\(0\)/,
      );
  });

  test('the documentation names a remedy for each alert', () => {
    const operators = readFileSync(join(deploy, '../docs/operators/recovery.md'), 'utf8');
    for (const { alert } of alerts) expect(operators).toContain(`| \`${alert}\``);
  });
});
