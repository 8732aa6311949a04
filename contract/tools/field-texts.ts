/**
 * What tools say about fields of the same name: a phrase with an example. A field's own description comes
 * first. Every conversation pays for these words.
 */
export const fieldTexts: Readonly<Record<string, string>> = {
  projectId: 'Id from list_projects, for example 3f0c6d52-8b1e-…',
  title: 'Example: Spring fair',
  slug: 'Example: spring-fair',
  domainId: 'Example: 7d0b9a34-51c2-…',
  workspaceId: 'Id of a workspace, for example 9a1c2b3d-4e5f-…',
  files: 'Example: [{"path": "index.html", "content": "<h1>Hello</h1>"}]',
  zipBase64: 'Example: UEsDBBQA…',
  password: 'What visitors enter, for example calm-harbour-42',
  expiresIn: 'Example: 24h',
  zipIndexHtmlPath: 'Example: site/index.html',
  spa: 'Example: true',
  prettyUrls: 'Redirects `/a.html` to `/a`. Example: true',
  asFileBundle: 'Example: true',
  access: 'Example: password',
  status: 'Example: private',
  delete: 'Example: ["old.css"]',
  mode: 'Example: replace',
  expectedVersion: 'Example: 3',
  draft: 'Example: true',
  noIndex: 'Asks search engines to stay away. Example: true',
  disableDownloads: 'Hides the download button. Example: true',
  pageTitle: 'Title of the browser tab; null for the title of the project. Example: Fair 2026',
  metaDescription: 'For search engines; null removes it. Example: Dates and prices',
  analyticsEnabled: '`false` records no visits. Example: false',
  archived: 'Example: all',
  limit: 'Projects in one answer. Example: 50',
  cursor: '`nextCursor` of the previous call. Example: 20',
  filesCursor: 'Example: 2-200',
};
