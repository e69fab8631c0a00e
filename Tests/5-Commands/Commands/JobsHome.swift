import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// A home with a queue of jobs.
protocol JobsHome {
    var folder: TemporaryFolder { get }
    var environment: [String: String] { get }
}

extension JobsHome {
    // MARK: Running

    func run(_ arguments: String...) throws -> Program.Outcome { try run(arguments) }

    func run(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(Program.valise, arguments, environment: environment)
    }

    func atTerminal(_ arguments: String...) throws -> String {
        try Program.atTerminal(arguments, environment: environment).output
    }

    // MARK: Looking

    func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    func json(_ arguments: String...) throws -> [String: Any] {
        try object(run(arguments + ["--json"]).output)
    }

    /// Those that are left, or with `--all` every one.
    func jobs(_ arguments: String...) throws -> [[String: Any]] {
        let list = try object(run(["jobs", "list", "--json"] + arguments).output)
        return try #require(list["jobs"] as? [[String: Any]])
    }

    /// The only one that is left.
    func job() throws -> [String: Any] {
        let jobs = try jobs()
        #expect(jobs.count == 1, "\(jobs)")
        return jobs.first ?? [:]
    }
}
