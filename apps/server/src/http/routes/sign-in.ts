import { type FastifyAsk, HttpProblem, JSON_TYPE, type Route } from '@proj/fastify/host';
import { isRecord } from '@proj/fastify/settings';
import type { FastifyRequest } from 'fastify';

import type { Exchange, SignInCode } from '../../access/sign-in-code.ts';
import { checkAddress } from '../request/own-address.ts';

/** Loopback, as a connection or a trusted proxy names it. */
const LOOPBACK = /^(127(\.\d+){3}|::1|::ffff:127(\.\d+){3})$/;

/** A page of another origin learns neither a token nor whether there is one. */
const OWN_PAGES = { publicUrl: undefined, corsOrigins: [] };

/** `POST /sign-in`: exchanges the code of the printed link for the temporary token. */
export function signInRoute(signInCode: SignInCode): Route<FastifyAsk> {
  return {
    methods: ['POST'],
    path: 'sign-in',
    access: 'public',
    check: ({ origin }) => {
      checkAddress(origin, OWN_PAGES);
      if (!isFromHere(origin))
        throw refused('A link signs in on the machine of the service only, and through no proxy.');
    },
    answer: ({ body }) => {
      const code = isRecord(body) && typeof body.code === 'string' ? body.code : '';
      const exchange = signInCode.exchange(code);
      if ('refusal' in exchange) throw refused(REASONS[exchange.refusal]);
      const headers = { 'cache-control': 'no-store', 'content-type': JSON_TYPE };
      return { status: 200, headers, body: JSON.stringify(exchange) };
    },
  };
}

const REASONS: Readonly<Record<Extract<Exchange, { refusal: string }>['refusal'], string>> = {
  unknown: 'The code is not that of the link which this start of the service has printed.',
  used: 'The link was used already: it signs in once.',
  expired: 'The link is older than ten minutes.',
};

function refused(detail: string): HttpProblem {
  return new HttpProblem('sign_in_refused', detail);
}

/** A proxy on this machine may forward remote requests. */
function isFromHere({ ip, socket, headers }: FastifyRequest): boolean {
  const isPassedOn = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isPassedOn && LOOPBACK.test(ip) && LOOPBACK.test(socket.remoteAddress ?? '');
}
