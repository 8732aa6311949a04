/** Who may invoke a function, from an `AWS::Lambda::Permission`. */
export interface Permission {
  action: string;
  functionName: string;
  principal: string;
  /** May hold `*` and `?`; undefined allows every source. */
  sourceArn: string | undefined;
}

/** True when API Gateway may invoke the function for this source; without it the service answers 500. */
export function mayInvoke(
  permissions: readonly Permission[],
  functionName: string,
  sourceArn: string,
): boolean {
  return permissions.some(
    (permission) =>
      permission.principal === 'apigateway.amazonaws.com' &&
      ['lambda:InvokeFunction', 'lambda:*'].includes(permission.action) &&
      permission.functionName === functionName &&
      (permission.sourceArn === undefined || matchesPattern(sourceArn, permission.sourceArn)),
  );
}

function matchesPattern(text: string, pattern: string): boolean {
  const escaped = pattern.replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);
}
