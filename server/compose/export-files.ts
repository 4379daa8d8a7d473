import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportFiles } from '#domains/b2b/index.ts'
import { contentTypeOf } from '#platform/spreadsheets/table-file.ts'
import { writeTableFile } from '#platform/spreadsheets/write-table-file.ts'
import { makeFolder } from '#platform/storage/make-folder.ts'
import type { ObjectStore } from '#platform/storage/object-store.ts'

/** Files of exports: written in a directory of this machine, and kept in the store once they are whole. */
export const makeExportFiles = (store: ObjectStore, directory: string): ExportFiles => {
  const pathOf = (key: string): string => join(directory, key)
  const removeWritten = (key: string): Promise<void> => rm(pathOf(key), { force: true })
  return {
    async write(key, table) {
      await makeFolder(directory)
      return writeTableFile({ ...table, path: pathOf(key) })
    },
    async keep(key, { format, signal }) {
      try {
        await store.put(key, pathOf(key), { contentType: contentTypeOf[format], signal })
      } finally {
        await removeWritten(key)
      }
    },
    async remove(key) {
      await removeWritten(key)
      await store.remove(key)
    },
  }
}
