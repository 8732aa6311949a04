import { type CloudAssembly, SynthesisMessageLevel } from 'aws-cdk-lib/cx-api';

/** Throws one error with every warning and error that synthesis left in the stacks. */
export function checkWarnings(assembly: CloudAssembly): void {
  const findings = assembly.stacks
    .flatMap(({ messages }) => messages)
    .filter(({ level }) => level !== SynthesisMessageLevel.INFO)
    .map(({ id, entry }) => `${id}: ${JSON.stringify(entry.data)}`);
  if (findings.length > 0) throw new Error(`Synthesis warns:\n${findings.join('\n')}`);
}
