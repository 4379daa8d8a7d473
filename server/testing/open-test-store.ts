import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openFolderStore } from '#platform/storage/folder-store.ts'
import type { ObjectStore } from '#platform/storage/object-store.ts'

/** A directory for the test file, removed after its last test. */
export const makeTestDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  afterAll(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** An empty store of files for the test file. */
export const openTestStore = async (): Promise<ObjectStore> => openFolderStore(await makeTestDirectory())
