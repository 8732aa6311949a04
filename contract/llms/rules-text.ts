/** How a program chooses between a key, a temporary project and a sign-in. */
export const waysToStart = `## Choose how to start

1. You have an API key: send it as \`Authorization: Bearer <API_KEY>\`. \`GET /v1/auth/session\` tells you whether it works. Do not sign in again while it works.
2. You have no key and a temporary link is enough: \`POST /v1/projects/temp\`. The link is live immediately and expires by itself. Show the user \`url\` and \`claimUrl\`. At \`claimUrl\` they can sign in and keep the project.
3. You have no key and the user wants to keep or manage projects:
   - \`POST /v1/auth/otp/request\` with their e-mail address. No account is needed beforehand.
   - Ask the user for the six digits in the e-mail.
   - \`POST /v1/auth/otp/verify\` with the address, the digits and the \`attemptToken\` from the first answer. Save \`apiKey\`: it is shown only once.
   - \`POST /v1/projects\` publishes. \`POST /v1/projects/claim/{claimToken}\` keeps a temporary project (\`claimToken\` is in the answer that published it). \`GET /v1/projects\` lists the projects. \`GET /v1/user\` shows the limits of the plan and the usage.`;

/** The rules that apply to every operation. */
export const rules = `## Rules

- An error is JSON \`{"status":"error","error":"…","code":"…","nextStep":"…"}\`, with more fields for some codes. Follow \`nextStep\` and do nothing else.
- After \`OTP_INVALID\` ask the user for the digits again. Do not request a new code.
- After 429 wait \`retryAfterSeconds\` (also in \`Retry-After\`). \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) show how many requests remain.
- A write may have the header \`Idempotency-Key: <text that you choose>\`. For 24 hours the same request with the same key gets the stored answer and is not executed again. Use it whenever you may have to retry.
- A ZIP without an HTML file is published as a list of files. If it has one HTML file, that file is the home page. If it has several, name the home page in \`zipIndexHtmlPath\`, or send \`home=auto\` for its \`index.html\`. To send files with folders, use the path of each file as the file name of its part. A folder that holds all files is removed from their paths, unless pages refer to files by it (\`/app/main.js\`).
- Hidden files (\`.env\`, \`.git/\`), \`node_modules\` and what \`.slipwayignore\` names are left out of an upload of several files. The warning \`left-out\` counts them. Only if the user wants them public, send the same with \`includeHidden=true\`.
- Pictures that Markdown files show from other sites are not loaded. The warning \`remote-pictures\` names them. If the user wants them shown, an account sends the same with \`takePictures=true\`; the tools cannot.
- Files with keys (AWS, GitHub, Stripe, private keys and others) are refused with 409 \`SECRETS_FOUND\`, which lists the places. Remove them; only if the user says that everybody may read them, send the same with \`allowSecrets=true\`.
- Every answer has the header \`X-Request-Id\`. Quote it when you report a problem.
- Times are ISO 8601 in UTC. Sizes are in bytes.`;
