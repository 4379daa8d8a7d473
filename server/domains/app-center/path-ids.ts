import { Type } from 'typebox'

/** Described only: ids are checked where their error can name the parameter. */
const objectId = (example: string) => Type.String({ description: '24 hexadecimal characters.', examples: [example] })

/** The ids that paths of the app center have, each with an example of its own. */
export const pathIds = {
  organizationId: objectId('69ccb5001f2e3d4c5b6a7988'),
  projectId: objectId('69ccb53c0a1b2c3d4e5f6071'),
  webhookId: objectId('6ab0ff00112233445566778b'),
  deliveryId: objectId('00000000000068f1c2a40001'),
  deploymentId: objectId('6ab1003c8899aabbccddeeff'),
  distributionId: objectId('6ab101f0a0b1c2d3e4f50617'),
  /** Of a member: people have numbers. */
  userId: Type.String({ description: 'Id of a user.', examples: ['42'] }),
}
