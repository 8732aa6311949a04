import * as z from 'zod';

/** The name of a stage. Only letters and digits, so that no two stages get the same names of resources. */
export const StageName = z
  .string()
  .regex(
    /^[a-z][a-z0-9]{0,15}$/,
    'must be 1 to 16 lowercase letters and digits, and begin with a letter',
  );

/** The stage of a `cdk` command that names none. Its stacks have no stage in their names. */
export const defaultStage = 'default';

/** The names of a stage's stacks. Two stages live in one AWS account. */
export function stackNames(stage: string): { data: string; service: string } {
  const suffix = stage === defaultStage ? '' : `-${stage}`;
  return { data: `SlipwayData${suffix}`, service: `SlipwayService${suffix}` };
}
