import ArgumentParser
import ValiseTerminal

/// Whether a pager shows the messages on a terminal.
struct PagerOptions: ParsableArguments {
    @Flag(name: .customLong("no-pager"), help: "Print the messages at once instead of page by page.")
    var noPager = false

    func stream(_ output: OutputOptions) -> StreamedOutput {
        // A screen reader follows lines, not pages.
        StreamedOutput(pages: !noPager && !output.json && !output.plain)
    }

    /// Does work that writes, and waits until its result was read.
    func showing<Result>(_ stream: StreamedOutput, _ work: () throws -> Result) throws -> Result {
        do {
            return try stream.shown(work)
        } catch let error as PagerError {
            throw CommandError(
                error.code, error.message, hints: [Hint("print them at once", options: "--no-pager")])
        }
    }
}
