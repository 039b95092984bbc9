"use strict";
/**
 * Calls a candidate's code inside the sandbox and says what it returned.
 *
 * It knows no expected value and judges nothing. It speaks JSON on descriptor 3; the frames
 * are described in the daemon's `evaluator::frames`. The candidate's code runs in the same
 * realm, as it would anywhere else, so everything needed later is taken before it is loaded, and
 * from then on nothing here looks a method up on a prototype, iterates, or assigns to an index.
 */

const fs = require("fs");
const vm = require("vm");
const util = require("util");
const stream = require("stream");
const library = require("module");

const DEPTH_MAX = 24;
const NODES_MAX = 100_000;
const TEXT_MAX = 1 << 20;
const REPR_MAX = 2_000;
const NAME_MAX = 200;
const NAMES_MAX = 12;
// Instances that a case may go back to.
const INSTANCES_MAX = 64;
const TRACE_MAX = 12;
const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 4 * 1024;
const TAIL_ROOM = 64 * 1024;
const CHANNEL = 3;
const SIZE_DIGITS = 10;
const LARGEST_BIGINT = 10n ** 4_000n;

const PROBE_ROUNDS = 25;
const PROBE_CALLS = 500;
const PROBE_ENOUGH_NS = 400_000_000n;

const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } =
  Reflect;
const { call } = Function.prototype;
/** A method as a function that takes its object first. */
const free = (method) => call.bind(method);

const now = process.hrtime.bigint;
const { cpuUsage } = process;
const leave = process.reallyExit.bind(process);
const nextTick = process.nextTick.bind(process);
const { readSync, writeSync } = fs;
const { compileFunction, SourceTextModule, SyntheticModule } = vm;
const { inspect } = util;
const { isNativeError, isProxy, isMap, isSet, isUint8Array } = util.types;
const load = require;
const { builtinModules, isBuiltin = (name) => builtinModules.includes(name) } = library;

const { parse, stringify: quote } = JSON;
const { isArray } = Array;
const { isInteger, isSafeInteger } = Number;
const { hasOwn, keys } = Object;
const { from: encoded, allocUnsafeSlow: room, byteLength } = Buffer;
const writeUtf8 = free(Buffer.prototype.utf8Write);
const writeLatin1 = free(Buffer.prototype.latin1Write);
const utf8 = free(Buffer.prototype.utf8Slice);
const latin1 = free(Buffer.prototype.latin1Slice);
const copyBytes = free(Buffer.prototype.copy);
const getter = (of, name) => free(getOwnPropertyDescriptor(of, name).get);
const lengthOf = getter(getPrototypeOf(Uint8Array.prototype), "length");
const sizeOfMap = getter(Map.prototype, "size");
const sizeOfSet = getter(Set.prototype, "size");
const eachOfMap = free(Map.prototype.forEach);
const eachOfSet = free(Set.prototype.forEach);
const code = free(String.prototype.charCodeAt);
const cut = free(String.prototype.slice);
const find = free(String.prototype.indexOf);
const findLast = free(String.prototype.lastIndexOf);
const lower = free(String.prototype.toLowerCase);
const sourceOf = free(Function.prototype.toString);
const digits = free(BigInt.prototype.toString);
const then = free(Promise.prototype.then);
const toBigInt = BigInt;
const toNumber = Number;
const { floor } = Math;
const Bytes = Uint8Array;
const dateText = Date.prototype.toString;
const ListOnly = Array.prototype;
const MapOnly = Map.prototype;
const SetOnly = Set.prototype;
const ObjectOnly = Object.prototype;
const { TypeError } = globalThis;
const { now: wallNow } = Date;
const seen = free(WeakMap.prototype.has);
const kept = free(WeakMap.prototype.get);
const keep = free(WeakMap.prototype.set);
