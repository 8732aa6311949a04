/** The half of pdf.js that reads documents, apart from the page. */
export * from 'pdfjs-dist/legacy/build/pdf.worker.mjs';
