import FaultInjection
import Foundation
import SystemPackage
import ValiseFiles

/// The library in `Support/faultline.c`, which crashes or fails a program at its n-th file operation.
enum Faultline {
    /// What happens at the n-th operation.
    enum Fault: String, CaseIterable {
        case kill, killAfter, killTorn, powerLoss, powerLossAfter, loseData, loseEntries, noSpace, ioError

        /// Whether the program goes on and has to report a failure.
        var goesOn: Bool { self == .noSpace || self == .ioError }

        fileprivate var environment: [String: String] {
            switch self {
            case .kill: ["MODE": "kill"]
            case .killAfter: ["MODE": "kill", "AFTER": "1"]
            case .killTorn: ["MODE": "kill", "TORN": "1"]
            case .powerLoss: ["MODE": "powerloss"]
            case .powerLossAfter: ["MODE": "powerloss", "AFTER": "1"]
            case .loseData: ["MODE": "powerloss", "LOSE": "data"]
            case .loseEntries: ["MODE": "powerloss", "LOSE": "entries"]
            case .noSpace: ["MODE": "fail", "ERRNO": "ENOSPC", "STICKY": "1"]
            case .ioError: ["MODE": "fail", "ERRNO": "EIO"]
            }
        }
    }

    /// The library, compiled once for all tests; nil without a compiler or on another system.
    static let library: String? = Preload.compile("faultline")

    /// Runs `valise` to its end and counts its operations below a folder.
    static func count(
        _ arguments: [String], root: FilePath, report: FilePath
    ) throws -> (Program.Outcome, Int) {
        let outcome = try run(arguments, root, ["MODE": "count", "REPORT": report.string])
        let text = try String(contentsOfFile: report.string, encoding: .utf8)
        return (outcome, Int(text.dropLast()) ?? 0)
    }

    /// Runs `valise` with a fault at its n-th operation below a folder.
    /// - Parameter save: an empty folder outside of `root` on the same file system.
    static func run(
        _ arguments: [String], _ fault: Fault, at number: Int, root: FilePath, save: FilePath,
        environment: [String: String] = [:]
    ) throws -> Program.Outcome {
        var variables = fault.environment
        variables["AT"] = "\(number)"
        variables["SAVE"] = save.string
        return try run(arguments, root, variables, environment)
    }

    private static func run(
        _ arguments: [String], _ root: FilePath, _ variables: [String: String],
        _ own: [String: String] = [:]
    ) throws -> Program.Outcome {
        var environment = own.merging(["LD_PRELOAD": library ?? "", "FAULTLINE_ROOT": root.string]) { $1 }
        for (name, value) in variables { environment["FAULTLINE_" + name] = value }
        return try Program.run(Program.valise, arguments, environment: environment)
    }
}
