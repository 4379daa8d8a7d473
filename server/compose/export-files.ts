import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportFiles } from '#domains/b2b/index.ts'
import { contentTypeOf } from '#platform/spreadsheets/table-file.ts'
import { writeTableFile } from '#platform/spreadsheets/write-table-file.ts'
import type { ObjectStore } from '#platform/storage/object-store.ts'

/** Files of exports: written in a directory of this machine, and kept in the store once they are whole. */
export const makeExportFiles = (store: ObjectStore, directory: string): ExportFiles => ({
  async write(key, table) {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const path = join(directory, key)
    try {
      const written = await writeTableFile({ ...table, path })
      await store.put(key, path, { contentType: contentTypeOf[table.format], signal: table.signal })
      return written
    } finally {
      await rm(path, { force: true })
    }
  },
  async remove(key) {
    // What a process left that died while it wrote.
    await rm(join(directory, key), { force: true })
    await store.remove(key)
  },
})
