import * as z from 'zod';
import { GenerationStepError, apiKeys } from '../../adapters/secrets-manager/api-keys.ts';
import { serveCustomResource } from '../shared/custom-resource.ts';

const ApiKeysProperties = z.object({
  SecretArn: z.string(),
  // Places that nothing else gives first values.
  OtherSecrets: z.array(z.string()),
  // CloudFormation sends numbers as text.
  Generation: z.coerce.number().int().positive(),
});

/**
 * `Custom::ApiKeys`: returns `ApiKey<generation>` for each key that the REST API must accept, and makes the first
 * values of all secrets. Deleting the resource keeps these: they are in the data stack.
 */
export async function handler(event: unknown): Promise<void> {
  await serveCustomResource(event, {
    physicalId: 'api-keys',
    properties: ApiKeysProperties,
    failureReason: (error) =>
      error instanceof GenerationStepError
        ? error.message
        : 'See the log of the api-keys function.',
    run: async (
      { RequestType, OldResourceProperties },
      { SecretArn, OtherSecrets, Generation },
    ) => {
      if (RequestType === 'Delete') return {};
      const before = ApiKeysProperties.safeParse(OldResourceProperties).data?.Generation;
      const keys = await apiKeys(SecretArn, OtherSecrets, { before, generation: Generation });
      const named = keys.map(({ generation, key }) => [`ApiKey${generation}`, key]);
      return { NoEcho: true, Data: Object.fromEntries(named) };
    },
  });
}
