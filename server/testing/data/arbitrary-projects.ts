import fc from 'fast-check'

// Nested objects of projects as document 1 has them, written out here once more: whatever the server takes them for is
// compared with this.

/** What every secret that is made here begins with. */
export const secretMark = 'hush-'

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>
type Fill = (fields: Fields) => fc.Arbitrary<Record<string, unknown>>

const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const secret = fc.uuid().map((id) => `${secretMark}${id}`)
const fileUrl = fc.webUrl({ withQueryParameters: true, withFragments: true })
const time = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .filter((value) => !Object.is(value, -0))

/** Bodies, of which `fill` says what of each object can be missing or null. */
const objects = (fill: Fill): fc.Arbitrary<Record<string, unknown>> => {
  const both = (part: fc.Arbitrary<unknown>) => fill({ production: part, staging: part })
  const keystore = both(fill({ keystore: fileUrl, keystorePassword: secret, keyAlias: text, keyPassword: secret }))
  const ios = both(
    fill({
      provisioningProfile: fileUrl,
      certificate: fileUrl,
      password: secret,
      certificateApn: fileUrl,
      certificateApnKey: secret,
      provisioningExpiration: time,
      certificateExpiration: time,
    }),
  )
  const additional = fc.array(
    fc.record(
      { bundleIdentifier: text, provisioningProfile: fileUrl, provisioningExpiration: time },
      { requiredKeys: [], noNullPrototype: true },
    ),
    { maxLength: 4 },
  )
  const status = {
    createdAt: text,
    deploymentId: text,
    envVersion: text,
    publishedAt: text,
    publisher: text,
    storeVersion: text,
    tag: text,
    updatedAt: text,
    status: fc.boolean(),
  }
  const coded = both(fill({ ...status, versionCode: number }))
  return fill({
    credential: fill({ android: keystore, huawei: keystore, ios }),
    additionalCredentials: fill({ ios: both(additional) }),
    storeCredentials: fill({
      googlePlay: fill({ googleServiceFile: fileUrl, packageName: text }),
      appleAppStore: fill({
        keyId: text,
        keyIssuerId: text,
        apiKeyFile: secret,
        keyInHouse: fc.boolean(),
        appIdentifier: text,
        teamId: text,
        teamName: text,
        appSpecificId: text,
      }),
      huaweiAppGallery: fill({ clientId: text, clientSecret: secret }),
    }),
    appStatuses: fill({ android: coded, huawei: coded, ios: both(fill(status)) }),
  })
}

/** The nested objects of a new project. */
export const arbitraryObjects = objects((fields) => fc.record(fields, { requiredKeys: [], noNullPrototype: true }))

/** A change of them, in which anything but an item of a list can be null. */
export const arbitraryChanges = objects((fields) =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, fc.option(part, { freq: 6 })])), {
    requiredKeys: [],
  }),
)
