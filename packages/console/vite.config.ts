import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env.BIDWELL_URL ?? 'http://127.0.0.1:8080';
const proxied = ['^/api/', '^/m/', '^/t/', '^/openrtb/', '^/postback/'];

export default defineConfig({
  plugins: [react()],
  root: import.meta.dirname,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // Code that is always loaded together is one file: the browser is busy for a millisecond with each, however small.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 3 },
            { name: 'login', test: /[\\/]login-screen\.tsx$/, priority: 2 },
            { name: 'frame', test: /[\\/]app[\\/]layout\.tsx$/, priority: 1 },
            // Tables import none of it, so a first visit to a list need not load it.
            {
              name: 'forms',
              test: /react-number-format|[\\/]NumberInput[\\/]|ui[\\/]form[\\/](form-|entity-form|saved-form|title-fields)/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // No screen of a first visit needs them.
            { name: 'screen-messages', test: /[\\/]screen-messages\.ts$/, priority: 1 },
            // Without what only the screens of operators and of measurement need.
            {
              name: 'shared',
              test: /^(?!.*(contract[\\/]src[\\/](endpoints[\\/])?(operator|exchange-test|moderation|measurement[\\/]partners|postbacks[\\/]schema)|operator-client))/,
              minShareCount: 8,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      ...Object.fromEntries(proxied.map((path) => [path, server])),
      '/connection': { target: server, ws: true },
    },
  },
});
