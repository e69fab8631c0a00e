import Testing
import ValiseMediaRules

struct TransferPlanTests {
    private func plan(
        _ kind: MediaKind, _ size: Int64, _ duration: Double? = nil, by transport: TransferProtocol = .xftp
    ) throws -> TransferPlan {
        try TransferPlan(kind, size: size, fileName: "a.jpg", duration: duration, by: transport)
    }

    @Test func `each limit exactly and one byte more`() throws {
        #expect(try plan(.image, 261_120).route == .inline)
        #expect(try plan(.image, 261_120).chunks == nil)
        #expect(try plan(.image, 261_121).route == .xftp)
        #expect(try plan(.file, 1).route == .xftp, "only images travel inline")
        for kind in MediaKind.allCases {
            #expect(try plan(kind, 1_073_741_824).reason == .fitsChat)
            let byLink = try plan(kind, 1_073_741_825)
            #expect(byLink.route == .refused && byLink.isPossibleByLink && byLink.isReceivedUnasked == nil)
            #expect(byLink.chunks?.description == "256 x 4.2 MB + 1 x 1.0 MB")
            #expect(try plan(kind, 5_368_709_120).isPossibleByLink)
            let refused = try plan(kind, 5_368_709_121)
            #expect(
                refused.reason == .aboveServiceLimit && !refused.isPossibleByLink && refused.chunks == nil)
            #expect(try plan(kind, 8_000_000, by: .smp).route == .inline)
            #expect(try plan(kind, 8_000_001, by: .smp).reason == .aboveMessageLimit)
            let local = try plan(kind, Int64.max, 5000, by: .local)
            #expect(local.route == .local && local.chunks == nil && local.isReceivedUnasked == nil)
        }
    }

    @Test func `what is received without asking`() throws {
        #expect(try plan(.image, 261_120).isReceivedUnasked == true)
        for (kind, limit) in [(MediaKind.image, Int64(522_240)), (.voice, 522_240), (.video, 1_047_552)] {
            #expect(try plan(kind, limit).isReceivedUnasked == true)
            #expect(try plan(kind, limit + 1).isReceivedUnasked == false)
            #expect(try plan(kind, limit, by: .smp).isReceivedUnasked == true)
            #expect(try plan(kind, limit + 1, by: .smp).isReceivedUnasked == false)
        }
        #expect(try plan(.file, 0).isReceivedUnasked == false)
    }

    @Test func `a voice message lasts 300 seconds, whatever its size`() throws {
        #expect(try plan(.voice, 100, 300).route == .xftp)
        #expect(try plan(.voice, 100, 300.9).route == .xftp)
        #expect(try plan(.voice, 100, 301).reason == .voiceTooLong)
        #expect(try plan(.voice, 100, 301, by: .smp).reason == .voiceTooLong)
        #expect(try plan(.voice, 100, 301, by: .local).route == .local)
        #expect(try plan(.voice, 100).route == .xftp)
        #expect(try plan(.video, 100, 10_000).route == .xftp)
    }

    @Test func `the limits by kind and protocol`() throws {
        #expect(MediaLimits.xftpInChat == 1_073_741_824)
        #expect(MediaLimits.inlineMessageFile == 8_000_000)
        // Of the largest file in a chat that each protocol takes, and of one byte more.
        #expect(try plan(.file, MediaLimits.xftpInChat, by: .xftp).route == .xftp)
        #expect(try plan(.file, MediaLimits.xftpInChat + 1, by: .xftp).route == .refused)
        #expect(try plan(.file, MediaLimits.inlineMessageFile, by: .smp).route == .inline)
        #expect(try plan(.file, MediaLimits.inlineMessageFile + 1, by: .smp).route == .refused)
        #expect(try plan(.file, .max, by: .local).route == .local)
        #expect(MediaLimits.automaticReception(of: .file) == nil)
    }

    @Test func `sentences are in lower case and say what to do`() {
        for reason in TransferReason.allCases {
            #expect(!reason.sentence.hasSuffix(".") && reason.sentence.first?.isLowercase == true)
        }
    }

    @Test func `a negative size is an error`() {
        for transport in TransferProtocol.allCases {
            #expect(throws: MediaRulesError.self) { try plan(.image, -1, by: transport) }
        }
    }
}
