import Testing
import ValiseConcurrency
import ValiseTerminal

/// When progress gets a line of its own, for screen readers.
struct ProgressLineTests {
    private let start = ContinuousClock.now

    @Test(arguments: [
        (90, "42%  1.2 MB of 3.4 MB  checking the databases of the archive  12.3 MB/s, 2 min left"),
        (60, "42%  1.2 MB of 3.4 MB  checking the databases of the archive"),
        (39, "42%  1.2 MB of 3.4 MB  checking the …"), (24, "42%  1.2 MB of 3.4 MB"), (12, "42%"),
    ])
    func `what does not fit the window ends at a word`(width: Int, text: String) {
        let whole = "42%  1.2 MB of 3.4 MB  checking the databases of the archive  12.3 MB/s, 2 min left"
        #expect(ProgressLine.fitted(whole, to: width) == text)
    }

    @Test func `the pace has the place of a name that does not fit`() {
        let whole = "7%  1 of 9  simplex_v1_files/a_very_long_name_of_a_picture.jpg  9.9 MB/s, 8 s left"
        #expect(ProgressLine.fitted(whole, to: 39) == "7%  1 of 9  9.9 MB/s, 8 s left")
        #expect(ProgressLine.fitted("waiting for the other machine", to: 20) == "waiting for the …")
        #expect(ProgressLine.fitted("simplex_v1_files/name.jpg", to: 10) == "simplex_v…")
    }

    @Test func `progress is told without the names of files, too`() throws {
        #expect(OperationProgress.entry("a.jpg", completed: 1, total: 2).unnamed == "")
        let one = OperationProgress.file("a.jpg", "encrypting", completed: 1)
        #expect(one.activity == "encrypting a.jpg" && one.unnamed == "encrypting")
        #expect(OperationProgress("flushing").unnamed == nil)
        let event = OperationEvent.progress(OperationProgress("uploading"))
        guard case .progress(let sending) = event.progressing("sending", file: "pass") else { return }
        #expect(sending.activity == "sending pass" && sending.unnamed == "sending")
        guard case .progress(let moving) = OperationEvent.progress(one).progressing("sending") else { return }
        #expect(moving.activity == "sending" && moving.unnamed == nil)
    }

    @Test func `not every step of a fast operation gets a line`() {
        var line = ProgressLine(.lines) { $0.activity }
        let shown = (0..<300).filter { moment in
            let progress = OperationProgress("exporting", completed: Int64(moment), total: 300)
            return line.shouldPrint(progress, at: start + .milliseconds(moment * 10))
        }
        #expect(shown == [0, 100, 200])
    }

    @Test func `each tenth of a slow one does, and what shows nothing new does after five seconds`() {
        var line = ProgressLine(.lines) { $0.activity }
        func shouldPrint(_ percent: Int64, _ second: Int) -> Bool {
            line.shouldPrint(
                OperationProgress("exporting", completed: percent, total: 100), at: start + .seconds(second))
        }
        #expect(shouldPrint(0, 0))
        #expect(!shouldPrint(9, 2))
        #expect(shouldPrint(10, 3))
        #expect(!shouldPrint(11, 7))
        #expect(shouldPrint(12, 8))
    }
}
