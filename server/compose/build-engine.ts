import type { Registry } from 'prom-client'
import { makeEngine, type EngineOptions } from '#delivery/engine.ts'
import { originOf } from '#delivery/outbound/origin-of.ts'
import { urlsOf } from '#delivery/secrets/sealed.ts'
import { hourMs, minuteMs } from '#platform/clock.ts'
import { splitList, type Config } from '#platform/config.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import { makeJobs } from '#platform/jobs/jobs.ts'
import { makeMailer } from '#platform/mail/mailer.ts'
import type { ServerContext } from '../server-context.ts'
import { makeHealthAlert, type HealthAlertDeps } from '#failures/health-alert.ts'

export interface BuildEngineDeps {
  readonly context: ServerContext
  readonly vault: Vault
  readonly registry: Registry
  readonly installationId: string
  readonly version: string
  readonly onWritten: NonNullable<EngineOptions['onWritten']>
  /** What a subscription is to people, and whose. */
  readonly alertSubject: HealthAlertDeps['subjectOf']
}

/** The delivery engine as the configuration wants it, with the e-mails about its endpoints and the jobs that send them. */
export const buildEngine = (deps: BuildEngineDeps) => {
  const { context, vault, registry, installationId, version, alertSubject, onWritten } = deps
  const { config, database, clock, log, tracing } = context
  const jobs = makeJobs({ database, log, registry, tracing })
  const mailer = makeMailer({
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
    db: database.db,
    clock,
    vault,
    jobs,
    log,
  })
  const alert = makeHealthAlert({
    mailer,
    recipients: splitList(config.ALERT_EMAILS),
    subjectOf: alertSubject,
    originOf: async (tx, id) => knownOrigin((await urlsOf(tx, vault, [id])).get(id)),
  })
  const engine = makeEngine({
    ...settingsOf(config),
    userAgent: `Waybill/${version}`,
    database,
    clock,
    log,
    vault,
    registry,
    installationId,
    alert,
    onWritten,
    tracing,
  })
  return { engine, jobs, mailer }
}

const settingsOf = (config: Config) => ({
  allowedNetworks: splitList(config.ALLOWED_NETWORKS),
  allowLoopback: config.NODE_ENV !== 'production',
  maxAttempts: config.MAX_ATTEMPTS,
  health: {
    failingAfter: config.ENDPOINT_FAILING_AFTER,
    disabledAfterMs: config.ENDPOINT_DISABLED_AFTER_HOURS * hourMs,
    probeEveryMs: config.ENDPOINT_PROBE_EVERY_MINUTES * minuteMs,
  },
  keep: { eventDays: config.EVENT_RETENTION_DAYS, attemptDays: config.ATTEMPT_RETENTION_DAYS },
  capacity: config.DELIVERY_CONCURRENCY,
})

const knownOrigin = (url: string | undefined): string => (url === undefined ? 'unknown address' : originOf(url))
