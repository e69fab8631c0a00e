package import ArgumentParser
import CValisePlatform
import Valise
import ValiseTerminal

/// Runs a command as a program. Only this turns errors into messages and exit statuses.
package enum CommandLineMain {
    /// Parses the arguments, runs the command, and ends the process.
    ///
    /// - Parameter arguments: nil for those of the process.
    package static func run(_ root: any ParsableCommand.Type, arguments: [String]? = nil) -> Never {
        valise_return_memory()
        valise_catch_interrupts()
        _ = ProcessProtection.forbidCoreDumps()
        let speaker = root.configuration.commandName ?? "valise"
        TerminalSetup.begin(
            TerminalSetup(command: "valise", speaker: speaker, variable: UserFolders.variable))
        // Options that were not parsed cannot be read: nil for a command that has none.
        var output: OutputOptions?
        let words = arguments ?? Array(CommandLine.arguments.dropFirst())
        let given = UsageFailure.tree(root).withHelpFirst(words)
        do {
            CallArguments.read(given)
            var command = try root.parseAsRoot(given.map(WaitChoice.option.separated))
            if let reporting = command as? any ReportingCommand {
                output = reporting.output
                if root == ValiseCommand.self { UnfinishedWorkText.tell(before: command, reporting.output) }
            }
            try command.run()
            ExitStatus.done.endProcess()
        } catch {
            finish(error, output, root, given)
        }
    }

    private static func finish(
        _ error: any Error, _ output: OutputOptions?, _ root: any ParsableCommand.Type, _ arguments: [String]
    ) -> Never {
        if let status = error as? ExitStatusError { exit(status.status, output) }
        guard let failure = (error as? any Failure).map(CommandError.worded) else {
            // Help, version, and everything that is wrong with the arguments.
            UsageFailure.exit(error, root, arguments)
        }
        let status = ExitStatus(failure.code)
        if output?.json == true, !(failure is ReportedFailure) {
            // The status and standard error tell it too.
            try? StandardStreams.printLine(FailureJSON(failure, status).text)
        }
        report(failure)
        exit(status, output)
    }

    private static func exit(_ status: ExitStatus, _ output: OutputOptions?) -> Never {
        if status == .wrongPassphrase {
            for line in StoredKeyUse.hints { StandardStreams.printError(line.withoutControls) }
        }
        for line in Afterwords.take() { output?.note(line) }
        status.endProcess()
    }

    /// Tells a user of a failure.
    static func report(_ failure: any Failure) {
        StandardStreams.complain(failure.lines[0])
        for hint in failure.lines.dropFirst() { StandardStreams.printError(hint) }
        // Another run of a move is not waited for.
        let isMove = (failure as? DeviceMigrationError)?.kind == .moveInUse
        if failure.code == .inUse, !isMove, WaitChoice.isOffered {
            StandardStreams.printError(Hint("wait for it", options: "--wait").note)
        }
    }
}

/// A command whose results can be JSON.
protocol ReportingCommand: ParsableCommand {
    var output: OutputOptions { get }
}

/// Ends a command with a status that is no failure, after everything was printed.
struct ExitStatusError: Error {
    let status: ExitStatus
}
