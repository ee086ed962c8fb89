import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { dynamicQuery } from '@proj/fastify';
import { sqlite } from '@proj/sqlite';

// oxlint-disable-next-line typescript/no-extraneous-class -- such is a module of Nest
class AppModule {}
Module({})(AppModule);

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter());

await app.register(dynamicQuery, {
  prefix: '/data',
  database: process.env['DATABASE_URL'] ?? '',
  kinds: [sqlite],
  models: 'all',
  principal: ({ headers }) => (headers['user'] === undefined ? null : { id: 'somebody' }),
});

export default app;
