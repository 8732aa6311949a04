import * as z from 'zod';
import { ServiceError } from '../errors.ts';

/** One value of a secret with its staging labels (AWS Secrets Manager User Guide, "Secret versions"). */
export const SecretVersion = z.object({
  value: z.string(),
  versionId: z.string(),
  createdAt: z.string(),
  stages: z.array(z.string()),
});
export type SecretVersion = z.infer<typeof SecretVersion>;

/** The versions of one secret. */
export const SecretVersions = z.array(SecretVersion);
export type SecretVersions = z.infer<typeof SecretVersions>;

/** Of all versions together (Secrets Manager quota). */
const maxLabels = 20;

/** The version with a label; throws like GetSecretValue if there is none. */
export function versionAt(versions: SecretVersions, stage: string): SecretVersion {
  const found = versions.find(({ stages }) => stages.includes(stage));
  if (found !== undefined) return found;
  throw new ServiceError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for staging label: ${stage}`,
  );
}

/**
 * Adds a version and moves the labels to it. Repeating the same id and value changes nothing; the same
 * id with another value is refused.
 */
export function putVersion(versions: SecretVersions, added: SecretVersion): SecretVersions {
  const same = versions.find(({ versionId }) => versionId === added.versionId);
  if (same !== undefined && same.value !== added.value) {
    throw new ServiceError(
      'ResourceExistsException',
      `You can't use ClientRequestToken ${added.versionId} because that value is already in use for a version of this secret.`,
    );
  }
  if (same !== undefined) return versions;
  const unlabelled = [...versions, { ...added, stages: [] }];
  const labels = new Set([...versions, added].flatMap(({ stages }) => stages));
  if (labels.size > maxLabels) {
    throw new ServiceError('LimitExceededException', `A secret has at most ${maxLabels} labels.`);
  }
  return added.stages.reduce<SecretVersions>(
    (all, stage) => moveLabel(all, stage, added.versionId),
    unlabelled,
  );
}

/** Moves a label between versions, adds it or removes it (UpdateSecretVersionStage). */
export function updateStage(
  versions: SecretVersions,
  { stage, from, to }: { stage: string; from: string | undefined; to: string | undefined },
): SecretVersions {
  const holder = versions.find(({ stages }) => stages.includes(stage))?.versionId;
  if (from !== undefined && from !== holder) {
    throw new ServiceError(
      'InvalidParameterException',
      `The staging label ${stage} is not attached to version ${from}.`,
    );
  }
  if (to === undefined && (from === undefined || stage === 'AWSCURRENT')) {
    throw new ServiceError('InvalidParameterException', `${stage} has to be moved to a version.`);
  }
  if (to !== undefined && !versions.some(({ versionId }) => versionId === to)) {
    throw new ServiceError('ResourceNotFoundException', `There is no version ${to}.`);
  }
  if (holder !== undefined && holder !== to && from === undefined) {
    throw new ServiceError(
      'InvalidParameterException',
      `The staging label ${stage} is currently attached to version ${holder}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  }
  return moveLabel(versions, stage, to);
}

/** When AWSCURRENT moves, its previous version gets AWSPREVIOUS. A version without a label is deleted. */
function moveLabel(
  versions: SecretVersions,
  stage: string,
  to: string | undefined,
): SecretVersions {
  const holder = versions.find(({ stages }) => stages.includes(stage))?.versionId;
  const labelled = withLabel(versions, stage, to);
  const isReplaced = stage === 'AWSCURRENT' && holder !== undefined && holder !== to;
  return isReplaced ? withLabel(labelled, 'AWSPREVIOUS', holder) : labelled;
}

function withLabel(versions: SecretVersions, stage: string, to: string | undefined) {
  return versions.map((version) => {
    const others = version.stages.filter((one) => one !== stage);
    return { ...version, stages: version.versionId === to ? [...others, stage] : others };
  });
}
