/** pdf.js brings no types for its worker; only its being there matters. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs';
