// node:sqlite under kysely's own SQLite dialect: a shim for its statements, `begin immediate` for its transactions.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from "kysely";
import { whenFree } from "../when-free.ts";

/** Statements kept prepared; the queries of the store are few and fixed. */
const MAX_PREPARED = 200;

/**
 * A dialect over one open database, which it owns and closes.
 * Plain `begin` fails at once under contention, whatever the busy timeout; `begin immediate` waits for its turn.
 */
export function sqliteDialect(database: DatabaseSync): Dialect {
  const config: SqliteDialectConfig = { database: asKyselyDatabase(database) };
  const base = new SqliteDialect(config);
  return {
    createDriver: () => new ImmediateDriver(config),
    createQueryCompiler: () => base.createQueryCompiler(),
    createAdapter: () => new TransactionalDdlAdapter(),
    createIntrospector: (db) => base.createIntrospector(db),
  };
}

class ImmediateDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new PatientConnection(await super.acquireConnection());
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

/**
 * Waits for its turn without holding up the event loop: who has the store may be another runtime of this very process,
 * which could never go on while SQLite itself waits. A statement that was told to wait has done nothing.
 */
class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return whenFree(() => this.#connection.executeQuery<Row>(query));
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}

/** SQLite rolls DDL back like anything else; kysely's migrator may run inside our transaction. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function asKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  return {
    close: () => {
      prepared.clear();
      if (database.isOpen) database.close();
    },
    prepare: (sql) => {
      const known = prepared.get(sql);
      if (known) return known;
      if (prepared.size >= MAX_PREPARED) prepared.clear();
      const statement = asKyselyStatement(database.prepare(sql));
      prepared.set(sql, statement);
      return statement;
    },
  };
}

function asKyselyStatement(statement: StatementSync): ReturnType<SqliteDatabase["prepare"]> {
  // kysely binds only what the store's queries pass: strings, numbers and null.
  const values = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}
