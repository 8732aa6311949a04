/** What there is below `/_local/`. */
export const INDEX = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local cloud</title>
<style>:root { color-scheme: light dark; } body { font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 2rem 1rem; } code { font: 14px ui-monospace, monospace; }</style>
</head>
<body>
<main>
<h1>Local cloud</h1>
<ul>
<li><a href="/_local/mail">Inbox</a>: every e-mail that was sent (<a href="/_local/mail.json">JSON</a>, <code>?to=</code> for one address)</li>
<li><code>POST /_local/bounce</code> <code>{"address": "a@example.org"}</code>: SES suppresses this address (<code>"reason": "COMPLAINT"</code> after a complaint)</li>
<li><a href="/_local/dns">DNS</a>: the records of custom domains (<a href="/_local/dns.json">JSON</a>; <code>POST</code> and <code>DELETE /_local/dns/records</code> <code>{"name": "customer.com", "type": "TXT", "value": "…"}</code>, <code>POST /_local/dns/forget</code> empties the resolvers' caches)</li>
<li><code>POST /_local/failures</code> <code>{"service": "acm", "action": "RequestCertificate", "error": "ThrottlingException", "times": 2}</code>: the next calls to ACM or CloudFront fail</li>
<li><a href="/_local/state">State</a>: every row, every object key, every queue, certificates and tenants</li>
<li><a href="/_local/calls">Calls</a> since the last <code>DELETE /_local/calls</code></li>
<li><code>POST /_local/clock</code> <code>{"advanceSeconds": 900}</code>: moves the clock</li>
<li><code>POST /_local/maintenance</code>: runs every schedule now</li>
<li><code>POST /_local/invalidate</code> <code>{"items": ["/*"]}</code>: clears the edge's cache</li>
</ul>
</main>
</body>
</html>
`;
