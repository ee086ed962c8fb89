// Of all examples: the page asks its own origin, which hands requests on to the service.
export default {
  server: { proxy: { '/api': process.env.SERVICE_URL }, fs: { strict: false } },
  clearScreen: false,
};
