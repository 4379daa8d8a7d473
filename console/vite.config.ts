import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where the server is while `npm run dev` serves the console beside it. */
const server = process.env['WAYBILL_URL'] ?? 'http://127.0.0.1:4000'
const paths = ['/api', '/b2b', '/whisperer', '/docs', '/openapi.json', '/metrics', '/healthz', '/readyz']

/** `npm run dev` sends the page of the shop for `/shop` and all below it, as the server does. */
const shopPages: Plugin = {
  name: 'shop-pages',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (/^\/shop(?=[/?]|$)/.test(request.url ?? '')) request.url = '/shop.html'
      next()
    })
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), shopPages],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // What is bundled asks to be named wherever it goes.
    license: { fileName: 'licences.md' },
    rolldownOptions: { input: ['index.html', 'shop.html'].map((page) => `${import.meta.dirname}/${page}`) },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(paths.map((path) => [path, { target: server, changeOrigin: false }])),
  },
})
