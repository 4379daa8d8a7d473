import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { openFolderStore } from './folder-store.ts'
import type { ObjectStore, S3Settings } from './object-store.ts'

/**
 * The bucket that the settings name, else a folder.
 * @throws Error that names the setting which is wrong.
 */
export const openStore = async (config: Config, log: Logger): Promise<ObjectStore> => {
  if (config.EXPORT_DIR !== undefined && config.S3_BUCKET !== undefined) throw new Error(bothSet)
  const settings = s3Settings(config)
  if (settings === undefined) return openFolderStore(config.EXPORT_DIR ?? join(config.DATA_DIR, 'exports'))
  // Loaded by whoever has a bucket: the client takes 100 ms.
  const { checkBucket, makeS3Store } = await import('./s3-store.ts')
  const { S3SettingError } = await import('./s3-trouble.ts')
  try {
    await checkBucket(settings)
  } catch (error) {
    if (error instanceof S3SettingError) throw error
    // Everything else works without it, and what needs it is tried again.
    log.warn({ err: error, bucket: settings.bucket }, 'storage.unreachable')
  }
  return makeS3Store(settings)
}

const bothSet = 'EXPORT_DIR and S3_BUCKET are both set: files of exports are kept in one place. Take one of them away.'

const s3Settings = (config: Config): S3Settings | undefined => {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region } = config
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { bucket, endpoint, region, accessKeyId, secretAccessKey }
}
