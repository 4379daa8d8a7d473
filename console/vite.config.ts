import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the server is while `npm run dev` serves the console beside it. */
const server = process.env['WAYBILL_URL'] ?? 'http://127.0.0.1:4000'
const paths = ['/api', '/b2b', '/whisperer', '/docs', '/openapi.json', '/metrics', '/healthz', '/readyz']

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 900 },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(paths.map((path) => [path, { target: server, changeOrigin: false }])),
  },
})
