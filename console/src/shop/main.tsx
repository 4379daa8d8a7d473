import '@fontsource-variable/inter/index.css'
import '#ui/styles/tokens.css'
import '#ui/styles/base.css'
import './shop.css'
import { createRoot } from 'react-dom/client'
import { reloadWhenPartsAreGone } from '#ui/reload-once.ts'
import { startTexts } from '#ui/texts/i18n.ts'
import { App, loadScreen } from './app.tsx'
import { startScheme } from './scheme.ts'

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no #root.')

/** After so long a slow network gets the frame without its screen. */
const patienceMs = 500

startScheme()
await startTexts('shop')
await Promise.race([loadScreen(), new Promise((resolve) => setTimeout(resolve, patienceMs))])
reloadWhenPartsAreGone()
createRoot(root).render(<App />)
