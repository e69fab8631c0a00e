import ArgumentParser
import Valise
import ValiseTerminal

struct BackupKeyList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys of a repository, one for each password.",
        discussion: """
            The key with an asterisk belongs to the password that was given. User and host are not encrypted, and are \
            neutral words unless whoever added the key wanted others. Keys that cannot be read are named, and the exit \
            status is 3.
            """)

    @OptionGroup var repository: RepositoryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let list = try output.run(
            ListRepositoryKeys(of: repository.input()), Answers(canAsk: repository.canAsk))
        if !output.json {
            for problem in list.failures {
                output.warn("the key \(problem.id.prefix(8)) cannot be read: \(problem.message)")
            }
        }
        try output.print(list) { text(list) }
        if list.hasEntryErrors { throw ExitStatusError(status: .entryErrors) }
    }

    private func text(_ list: RepositoryKeyList) -> String {
        let rows = [["ID", "Created", "User", "Host"]] + list.keys.map(row)
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return zip([false] + list.keys.map(\.isCurrent), rows).map { isCurrent, row in
            let cells = zip(row, widths).enumerated().map { number, cell in
                number == row.count - 1 ? cell.0 : cell.0.padded(to: cell.1)
            }
            return "\(isCurrent ? "*" : " ") \(cells.joined(separator: "  "))"
        }.joined(separator: "\n")
    }

    private func row(_ key: RepositoryKeyList.Key) -> [String] {
        // To the minute; another program may have written anything.
        let created = key.created.map { String($0.prefix(16)).replacing("T", with: " ") }
        return [String(key.id.prefix(8)), created, key.username, key.hostname].map {
            ($0 ?? "-").withoutControls
        }
    }
}
