import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';

import data from './express.ts';

// oxlint-disable-next-line typescript/no-extraneous-class -- such is a module of Nest
class AppModule {}
Module({})(AppModule);

// Without Nest's parser, which would leave no body to read.
const app = await NestFactory.create<NestExpressApplication>(AppModule, new ExpressAdapter(), {
  bodyParser: false,
});
app.use(data);

export default app;
