/** pdf.js brings no types for its worker; it is imported only for its effect. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs';
