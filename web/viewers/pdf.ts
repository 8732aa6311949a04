export { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
