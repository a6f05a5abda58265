// node:sqlite under kysely's own SQLite dialect: a shim for its statements, `begin immediate` for its transactions.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from "kysely";

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
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
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
