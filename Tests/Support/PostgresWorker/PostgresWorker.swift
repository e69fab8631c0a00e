import SystemPackage
import ValiseDatabase
import ValisePostgres

/// Another process for tests: `postgres-worker migrate ADDRESS SCHEMA COUNT` runs as many migrations, each of which takes a
/// moment and would fail if it were run twice, and prints how many it ran itself; `postgres-worker add ADDRESS SCHEMA TABLE COUNT`
/// adds 1 to the only number of a table as often, each in a transaction of its own, and prints a line after each.
@main
struct PostgresWorker {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 4, let count = arguments.last.flatMap({ Int($0) }) else { return }
        let settings = try PostgresSettings(PostgresAddress(arguments[2]), schema: arguments[3])
        let connection = try PostgresConnection(settings)
        switch arguments[1] {
        case "migrate": print(try PostgresMigrator(migrations(count)).upgrade(on: connection).count)
        case "add":
            for _ in 0..<count {
                try connection.transaction(.serializable, attempts: 1_000) {
                    let number = try $0.run("SELECT n FROM \(arguments[4])")[0].integer(0)
                    try $0.run("UPDATE \(arguments[4]) SET n = $1", [.integer(number + 1)])
                }
                // Not into a buffer: it is killed.
                try FileDescriptor.standardOutput.writeAll("added\n".utf8)
            }
        default: break
        }
    }

    private static func migrations(_ count: Int) throws -> MigrationList {
        try MigrationList(
            (0..<count).map { number in
                let name = "\(1000 + number)_step"
                return Migration(
                    name: name, up: "CREATE TABLE step_\(number) (n bigint); SELECT pg_sleep(0.01)",
                    down: "DROP TABLE step_\(number)")
            })
    }
}
