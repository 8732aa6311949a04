const { env } = process;

/**
 * The pull request of an event: its number and the commit. After `workflow_run` it is found by the branch and the
 * commit that GitHub names, never by what the other workflow wrote: code of a fork wrote that.
 */
export async function pullRequestOf({ pull_request: own, workflow_run: run }) {
  if (own !== undefined) return { number: own.number, sha: own.head.sha };
  if (!run?.event.startsWith('pull_request')) return undefined;
  const head = encodeURIComponent(`${run.head_repository.owner.login}:${run.head_branch}`);
  const pulls = await call('GET', `/pulls?state=open&head=${head}`);
  const found = pulls.find(({ head: { sha } }) => sha === run.head_sha);
  if (found === undefined) throw new Error('No open pull request has this commit any more.');
  return { number: found.number, sha: run.head_sha };
}

/** Writes the one comment of a preview. Only a bot's is edited: a person could change it later. */
export async function comment({ number }, name, text, { isNew }) {
  const mark = `<!-- slipway ${name} -->`;
  const body = `${mark}\n${text}`;
  const own = await findComment(`/issues/${number}/comments`, mark);
  if (own !== undefined) await call('PATCH', `/issues/comments/${own.id}`, { body });
  else if (isNew) await call('POST', `/issues/${number}/comments`, { body });
}

async function findComment(path, mark) {
  for (let page = 1; ; page += 1) {
    const comments = await call('GET', `${path}?per_page=100&page=${page}`);
    const own = comments.find(({ body, user }) => user.type === 'Bot' && body?.startsWith(mark));
    if (own !== undefined || comments.length < 100) return own;
  }
}

/** Shows the address of a preview as a deployment of the commit. */
export async function deploy(ref, environment, url) {
  const { id } = await call('POST', '/deployments', {
    ref,
    environment,
    auto_merge: false,
    required_contexts: [],
    transient_environment: true,
  });
  await call('POST', `/deployments/${id}/statuses`, { state: 'success', environment_url: url });
}

/** Marks the deployments of a preview as ended. */
export async function closeDeployments(environment) {
  for (const { id } of await call('GET', `/deployments?per_page=100&environment=${environment}`)) {
    await call('POST', `/deployments/${id}/statuses`, { state: 'inactive' });
  }
}

async function call(method, path, body) {
  const answer = await fetch(`${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      'content-type': 'application/json',
      'x-github-api-version': '2022-11-28',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (answer.ok) return answer.json();
  const needs = 'The job needs `permissions: pull-requests: write, deployments: write`.';
  throw new Error(`GitHub answered ${answer.status} to ${method} ${path.split('?')[0]}. ${needs}`);
}
