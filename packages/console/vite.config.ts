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
    // What every page loads at once is one file: it is smaller compressed than the twenty that sharing would make of it.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
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
