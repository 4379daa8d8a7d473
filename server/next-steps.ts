/**
 * What whoever reads a line of level warn or above can do about it, by its message. The line names what it is about; a
 * test sees that every such message of the server is here.
 */
export const nextSteps: Readonly<Record<string, string>> = {
  'admin_password.ignored': 'Remove ADMIN_PASSWORD; `waybill users reset-password EMAIL` makes a new password.',
  'backup.failed': 'See err, make room or mend the folder, and back up again; the server goes on.',
  'backup.given_up': 'Whoever asked for the backup has gone: ask again.',
  'clock.jumped': 'Have the clocks of the machines kept by NTP; `waybill doctor` says whether anything was missed.',
  'console.not_built': 'npm run build, and restart.',
  'database.broken': 'Make room on the disk of DATA_DIR, and start again; nothing that was answered is lost.',
  'delivery.attempt_crashed':
    'It is tried again in 30 s. See err; if it stays, look at this subscription, and report the error.',
  'delivery.claim_failed': 'Tried again at once. See err, and whether the database answers: /readyz says what fails.',
  'delivery.end_refused':
    'It is sent again, with the same webhook-id. Report it: the result of the attempt could not be stored.',
  'delivery.failed':
    'See its attempts at /whisperer/hook_events/{delivery}/, have the receiver mended, and retry it there.',
  'delivery.finish_failed':
    'Tried again in a moment. See err, and whether the database takes writes: /readyz says what fails.',
  'delivery.lease_lost':
    'Nothing, if seldom: it is sent again, with the same webhook-id. If often, the database or this process is too slow.',
  'delivery.receiver_unreadable':
    'Set SECRET_KEY, or SECRET_KEY_PREVIOUS, to the key that this subscription was stored with.',
  'delivery.take_over_failed': 'They are claimed again in 30 s. See err, and whether the database answers.',
  'event_source.closed': 'It is opened again by itself. If it stays away, look at the broker that the source names.',
  'event_source.failed':
    'Tried again by itself. See err: the broker has to be there, with the stream or queue and the account of EVENT_SOURCES.',
  'event_source.postponed':
    'The broker keeps the messages, and they are tried again. See err: the database, or EVENT_SOURCES_USER.',
  'event_source.refused':
    'The message is where dead letters go: have its sender correct what the reason says, and send it again.',
  'export.file_missing': 'Several machines need EXPORT_DIR or S3_BUCKET in common; the user asks for the export again.',
  'exports.file_not_removed': 'See err; files that are left are removed within a day.',
  'exports.progress_not_written': 'Nothing, if the database was away for a moment: the export goes on.',
  'failures.batch_failed': 'Its results are reported one by one; what stays is named by failures.not_reported.',
  'failures.not_reported': 'It is tried again. See err; if it stays, report the error.',
  'guide.not_built': 'npm run build, and restart.',
  'invariant.violated': 'Run `waybill doctor`, keep its table and this line, and report them; --repair mends the rest.',
  'job.attempt_failed': 'It is tried again. See err: what does this job need that does not answer?',
  'job.failed':
    'Mend what reason says; then ask again for what the job was for (messages at /api/v1/mails/, exports, orders).',
  'jobs.error': 'See err, and whether the database answers; jobs are looked for again in a moment.',
  'jobs.warning': 'See reason; a slow query of jobs means that the database is busy.',
  'local_door.path_too_long':
    'Move DATA_DIR to a shorter path: without it a backup cannot be made while the server runs.',
  'login.failed': 'Nothing, if seldom; many from one address are an attack that the limit slows down.',
  'login.throttled':
    'If it is no attack, wait for 15 minutes; `waybill users reset-password EMAIL` makes a new password.',
  'loop.failed': 'It runs again at its next time. See err; if it stays, its work is not done: mend that, or report it.',
  'mail.not_an_address': 'Correct the e-mail of this user, or ALERT_EMAILS.',
  'oidc.provider_unavailable': 'See whether OIDC_ISSUER answers; until then its tokens are refused.',
  'orders.connector_failed': 'The order is tried again. Report the error: the connector broke.',
  'orders.failed': 'It is tried again. Mend reason at the commerce platform.',
  'orders.given_up': 'Mend reason at the commerce platform, then POST /api/v1/orders/retry/.',
  'orders.late_failure': 'Nothing: the order has come to an end meanwhile.',
  'orders.platform_away':
    'See whether COMMERCE_URL answers, and ALLOWED_NETWORKS lets it be reached; orders wait meanwhile.',
  'orders.platform_back': 'Nothing: the orders that waited are pushed.',
  'partition.not_made': 'See err; rows go to the default partition until it is made, within an hour.',
  'password_link.enough_sent': 'Nothing: somebody asks again and again. See whether their mail arrives.',
  'readiness.failed': 'See err; reasons of /readyz says what to do about this check.',
  'redelivery.step_failed': 'It goes on in a moment. See err; if it stays, report the error.',
  'refresh_token.reused':
    'Somebody else may have this token: its session has ended; ask the user to change their password.',
  'request.failed': 'A bug: report err. The caller has reqId as x-request-id.',
  'request.unavailable': 'The database refuses: see err and /readyz. Callers may repeat it.',
  'retention.kept':
    'Mend or delete the subscriptions whose deliveries wait in these weeks; their space is not given back before.',
  'retention.not_dropped': 'Somebody holds it in a long query: it is tried again within an hour.',
  'retention.postponed': 'Check the clock of the database; nothing is dropped for a day.',
  'server.stop_failed': 'See err. The process ends all the same; nothing that was answered is lost.',
  'service.stop_failed': 'See err. The process ends all the same; nothing that was answered is lost.',
  'service.stop_timeout':
    'Nothing, if seldom: what was under way is taken up by another process, or at the next start.',
  'storage.unreachable':
    'See whether S3_ENDPOINT answers and the key may use the bucket; exports are tried again until then.',
  'subscription.disabled':
    'Tell the owner; its events are kept, and sent once a probe succeeds or somebody switches it on.',
  'subscription.failing': 'See its attempts at /whisperer/hooks/{subscriptionId}/attempts/, and tell the owner.',
  'subscription.recovered': 'Nothing: what was kept for it is sent.',
  'tracing.not_sent': 'See whether OTEL_EXPORTER_OTLP_ENDPOINT answers.',
  'vacuum.table_failed': 'See err; tried again later. If it stays, the embedded database grows.',
  'wake.notify_failed': 'Nothing, if seldom: what is due is found within 5 s.',
  'written.notify_failed': 'Nothing, if seldom: pages of the console show it a little later.',
}
