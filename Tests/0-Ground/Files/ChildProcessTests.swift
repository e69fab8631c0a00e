import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseConcurrency
import ValiseFiles

@Suite(.enabled(if: OtherProgram.areAllowed))
struct ChildProcessTests {
    private func start(_ script: String, blocksInterrupts: Bool = false) throws -> ChildProcess {
        try ChildProcess(
            "sh", ["-c", script], streams: (.none, .none, .none), blocksInterrupts: blocksInterrupts)
    }

    @Test func `an ending is a status or a signal`() throws {
        #expect(try start("exit 7").ending(within: .seconds(60)) == .status(7))
        #expect(try start("kill -TERM $$").ending(within: .seconds(60)) == .signal(15))
        #expect(try start("exit 3").wait() == 3)
        #expect(try start("kill -KILL $$").wait() == nil)
    }

    @Test func `a program that runs has no ending, and is ended when it is asked`() throws {
        let child = try start("exec sleep 1000")
        #expect(child.ending() == nil && child.ending(within: .milliseconds(50)) == nil)
        child.end()
        #expect(child.ending(within: .seconds(60)) == .signal(SIGTERM.number))
        let other = try start("exec sleep 1000")
        other.endAtOnce()
        #expect(other.ending(within: .seconds(60)) == .signal(SIGKILL.number))
    }

    @Test func `a program may take its time`() throws {
        let child = try start("exec sleep 1000")
        #expect(child.ending(within: .seconds(3)) == nil)
        child.endAtOnce()
        #expect(child.ending(within: .seconds(60)) == .signal(SIGKILL.number))
    }

    @Test func `a program that does not end in time is ended`() throws {
        #expect(try start("exit 5").ended(within: .seconds(60)) == .status(5))
        #expect(try start("exec sleep 1000").ended(within: .milliseconds(100)) == .signal(SIGTERM.number))
        let (reading, writing) = try ChildProcess.pipe()
        let stubborn = try ChildProcess(
            "sh", ["-c", "trap '' TERM; echo; while :; do sleep 1; done"],
            streams: (.none, .descriptor(writing), .none))
        try writing.close()
        var byte: UInt8 = 0
        // It ignores the signal by then.
        #expect(try withUnsafeMutableBytes(of: &byte) { try reading.read(into: $0) } == 1)
        #expect(stubborn.ended(within: .milliseconds(100)) == .signal(SIGKILL.number))
        try reading.close()
    }

    @Test func `signals reach a program that was started by a thread that blocks them`() throws {
        let task = BackgroundTask<ChildProcess.Ending> { _ in
            let child = try ChildProcess("sleep", ["1000"], streams: (.none, .none, .none))
            child.end()
            return child.ended(within: .seconds(60))
        }
        #expect(try task.value() == .signal(SIGTERM.number))
    }

    @Test func `Control-C ends a program, unless whoever started it does`() throws {
        #expect(try start("kill -INT $$; exit 4").ending(within: .seconds(60)) == .signal(SIGINT.number))
        #expect(
            try start("kill -INT $$; exit 4", blocksInterrupts: true).ending(within: .seconds(60))
                == .status(4))
    }
}

extension Int32 {
    fileprivate var number: Int { Int(self) }
}
