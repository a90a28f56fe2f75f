/** An S3-compatible server with one bucket: `s3-program.ts PORT FOLDER BUCKET`. */
import S3rver from 's3rver';

const [port, directory, bucket] = process.argv.slice(2);

process.once('disconnect', () => process.exit());
await new S3rver({
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  directory: directory!,
  configureBuckets: [{ name: bucket! }],
}).run();
process.stdout.write('listening\n');
