// npm run guide: builds the documents as a site into guide/dist.
import { join } from 'node:path'
import { buildFolder } from '../tools/build-folder.mjs'
import { guideBuild } from '../tools/stamps.mjs'
import { buildGuide } from './build-guide.ts'

await buildFolder(guideBuild, (folder) => buildGuide(join(import.meta.dirname, '..'), folder))
