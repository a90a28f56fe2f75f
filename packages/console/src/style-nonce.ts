/** Nonce of the page's content security policy for style elements; the server creates one for each page. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// get-nonce, which Mantine's scroll lock uses, reads the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
