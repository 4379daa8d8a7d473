import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import 'mantine-datatable/styles.layer.css'
import '#ui/styles/tokens.css'
import '#ui/styles/base.css'
import '#ui/styles/mantine.css'
import { createRoot } from 'react-dom/client'
import { startTexts } from '#ui/texts/i18n.ts'
import { listenForShortcuts } from '#ui/shortcuts.ts'
import { nonce } from '#shell/nonce.ts'
import { App, loadScreen } from '#shell/app.tsx'
import { reloadWhenPartsAreGone } from '#ui/reload-once.ts'

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no #root.')

// Mantine's dialogs keep the page behind them from scrolling by a style of their own, which looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce() })

/** React shows what follows a placeholder 0.3 s later at the earliest: only a slow network gets the frame without its screen. */
const patienceMs = 500

await startTexts()
await Promise.race([loadScreen(), new Promise((resolve) => setTimeout(resolve, patienceMs))])
listenForShortcuts()
reloadWhenPartsAreGone()
createRoot(root).render(<App />)
