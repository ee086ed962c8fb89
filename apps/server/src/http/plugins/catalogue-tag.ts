import { catalogueTag, type Engine } from '@proj/engine';
import fp from 'fastify-plugin';

interface CatalogueTagOptions {
  readonly engine: Pick<Engine, 'catalogue'>;
}

/** Says in each reply with a body, to a caller with a token, what the caller's catalogue is now. */
export const catalogueTagPlugin = fp<CatalogueTagOptions>(
  (app, { engine }, done) => {
    // oxlint-disable-next-line max-params -- the signature is Fastify's
    app.addHook('onSend', ({ principal }, reply, _payload, next) => {
      if (reply.statusCode === 200 && principal !== null)
        void reply.header('catalogue-tag', catalogueTag(engine.catalogue, principal.grant));
      next();
    });
    done();
  },
  { name: 'catalogue-tag', dependencies: ['access'] },
);
