import Foundation
import Testing

@testable import ValiseChatSchema

/// Statuses and reactions, as their columns have them.
struct ItemStatusTests {
    @Test func `the vectors of item statuses`() throws {
        let vectors = try ChatLogVectors.items("item_status")
        #expect(vectors.count == 22)
        for vector in vectors {
            #expect(try Self.itemStatus(vector.values.text("text")) == Self.expected(vector))
        }
    }

    @Test func `the vectors of statuses of members`() throws {
        let vectors = try ChatLogVectors.items("group_snd_item_status")
        #expect(vectors.count == 9)
        for vector in vectors {
            #expect(try Self.memberStatus(vector.values.text("text")) == Self.expected(vector))
        }
    }

    @Test func `the vectors of file statuses`() throws {
        let vectors = try ChatLogVectors.items("ci_file_status")
        #expect(vectors.count == 18)
        for vector in vectors {
            #expect(try Self.fileStatus(vector.values.text("text")) == Self.expected(vector))
        }
    }

    @Test func `the vectors of reactions`() throws {
        let vectors = try ChatLogVectors.items("reaction")
        #expect(vectors.count == 4)
        for vector in vectors {
            let reaction = Reaction(parsing: try vector.values.text("text"))
            #expect(reaction.emoji == vector.expects("emoji"))
            #expect(reaction.shown == vector.expects("shown") ?? reaction.emoji)
        }
        let unknown = Reaction(parsing: #"{"emoji":"❤️","type":"emoji"}"#)
        #expect(unknown.emoji == nil && unknown.text == #"{"emoji":"❤️","type":"emoji"}"#)
        #expect(Reaction(parsing: "👍").shown == "?")
    }

    @Test(arguments: [
        "", " ", "snd", "snd_new ", "snd_sent half", "snd_rcvd", "snd_rcvd ok complete ", "snd_error",
        "rcv_new x",
    ])
    func `another text is invalid and kept`(text: String) {
        #expect(ItemStatus(parsing: text) == .invalid(text))
        #expect(MemberItemStatus(parsing: text) == .invalid(text))
        #expect(ItemStatus(parsing: text).isSent == nil)
    }

    @Test(
        arguments: [
            ("relay", .other("relay")), ("relay host", .relay(.host)),
            ("relay host x", .other("relay host x")),
            ("relay other ", .relay(.other(""))), ("proxy host", .other("proxy host")),
            ("proxy a.b other c d", .proxy(host: "a.b", .other("c d"))), ("other", .other("other")),
            ("other x y", .other("x y")),
            ("auth x", .other("auth x")),
            ("proxy_relay [::1]:5223 version", .proxyRelay(host: "[::1]:5223", .version)),
        ] as [(String, DeliveryError)])
    func `errors are read to the end of the text`(text: String, error: DeliveryError) {
        #expect(ItemStatus(parsing: "snd_error " + text) == .sndError(error))
        #expect(MemberItemStatus(parsing: "snd_warning " + text) == .warning(error))
        #expect(ItemStatus(parsing: "snd_error " + text).error == error)
    }

    @Test func `old rows of members are invalid, and what they say is known`() {
        #expect(MemberItemStatus(parsing: "snd_sent") == .invalid("snd_sent"))
        #expect(MemberItemStatus(parsing: "snd_sent").isSent)
        #expect(MemberItemStatus(parsing: "snd_rcvd ok") == .invalid("snd_rcvd ok"))
        #expect(MemberItemStatus(parsing: "snd_rcvd badMsgHash").receipt == .badMsgHash)
        #expect(MemberItemStatus(parsing: "snd_rcvd ok").isSent)
        #expect(MemberItemStatus(parsing: "snd_sent partial") == .invalid("snd_sent partial"))
        #expect(!MemberItemStatus(parsing: "rcv_new").isSent)
        #expect(MemberItemStatus(parsing: "snd_rcvd ok complete").receipt == .ok)
    }

    @Test(
        arguments: [
            ("snd_transfer 5", .invalid("snd_transfer 5")),
            ("rcv_transfer -1 5", .invalid("rcv_transfer -1 5")),
            ("rcv_transfer 1 99999999999999999999", .invalid("rcv_transfer 1 99999999999999999999")),
            ("rcv_complete ", .invalid("rcv_complete ")), ("rcv_warning", .invalid("rcv_warning")),
            ("rcv_error no_file x", .rcvError(.other("no_file x"))), ("rcv_error", .rcvError(.other(""))),
            (
                #"rcv_error blocked a.b reason=spam,notice={"ttl": 5}"#,
                .rcvError(.blocked(server: "a.b", reason: "spam", notice: #"{"ttl": 5}"#))
            ),
            ("rcv_error blocked a.b reason=spam,x", .rcvError(.other("blocked a.b reason=spam,x"))),
            ("snd_error blocked a.b", .sndError(.other("blocked a.b"))),
        ] as [(String, FileStatus)])
    func `odd statuses of files are kept`(text: String, status: FileStatus) {
        #expect(FileStatus(parsing: text) == status)
    }

    // MARK: In the words of the vectors

    private static func expected(_ vector: ChatLogVectors.Vector) -> [String: String] {
        vector.expected.mapValues { $0 as? String ?? "\($0)" }
    }

    private static func itemStatus(_ text: String) -> [String: String] {
        switch ItemStatus(parsing: text) {
        case .sndNew: ["status": "sndNew"]
        case .sndSent(let progress): ["status": "sndSent", "progress": progress.rawValue]
        case .sndRcvd(let receipt, let progress):
            ["status": "sndRcvd", "receipt": receipt.rawValue, "progress": progress.rawValue]
        case .sndErrorAuth: ["status": "sndErrorAuth"]
        case .sndError(let error): words(error, "sndError")
        case .sndWarning(let error): words(error, "sndWarning")
        case .rcvNew: ["status": "rcvNew"]
        case .rcvRead: ["status": "rcvRead"]
        case .invalid(let text): ["status": "invalid", "text": text]
        }
    }

    private static func memberStatus(_ text: String) -> [String: String] {
        switch MemberItemStatus(parsing: text) {
        case .new: ["status": "new"]
        case .forwarded: ["status": "forwarded"]
        case .inactive: ["status": "inactive"]
        case .sent: ["status": "sent"]
        case .rcvd(let receipt): ["status": "rcvd", "receipt": receipt.rawValue]
        case .error(let error): words(error, "error")
        case .warning(let error): words(error, "warning")
        case .invalid(let text): ["status": "invalid", "text": text]
        }
    }

    private static func words(_ error: DeliveryError, _ status: String) -> [String: String] {
        let rest: [String: String] =
            switch error {
            case .auth: ["error": "auth"]
            case .quota: ["error": "quota"]
            case .expired: ["error": "expired"]
            case .relay(let error): words(error, ["error": "relay"])
            case .proxy(let host, let error): words(error, ["error": "proxy", "proxy": host])
            case .proxyRelay(let host, let error): words(error, ["error": "proxyRelay", "proxy": host])
            case .other(let text): ["error": "other", "text": text]
            }
        return rest.merging(["status": status]) { $1 }
    }

    private static func words(
        _ error: DeliveryError.RelayError, _ others: [String: String]
    ) -> [String: String] {
        let rest =
            switch error {
            case .host: ["srv": "host"]
            case .version: ["srv": "version"]
            case .other(let text): ["srv": "other", "srvText": text]
            }
        return rest.merging(others) { $1 }
    }

    private static func fileStatus(_ text: String) -> [String: String] {
        let status = FileStatus(parsing: text)
        let rest: [String: String] =
            switch status {
            case .sndTransfer(let done, let total):
                ["status": "sndTransfer", "done": "\(done)", "total": "\(total)"]
            case .rcvTransfer(let done, let total):
                ["status": "rcvTransfer", "done": "\(done)", "total": "\(total)"]
            case .sndError(let error): words(error, "sndError")
            case .sndWarning(let error): words(error, "sndWarning")
            case .rcvError(let error): words(error, "rcvError")
            case .rcvWarning(let error): words(error, "rcvWarning")
            case .invalid(let text): ["status": "invalid", "text": text]
            default: ["status": "\(status)"]
            }
        return rest.merging(["present": status.presence.rawValue]) { $1 }
    }

    private static func words(_ error: FileStatus.TransferError, _ status: String) -> [String: String] {
        let rest: [String: String] =
            switch error {
            case .auth: ["error": "auth"]
            case .blocked(let server, _, _): ["error": "blocked", "server": server]
            case .noFile: ["error": "noFile"]
            case .relay(let error): words(error, ["error": "relay"])
            case .other(let text): ["error": "other", "text": text]
            }
        return rest.merging(["status": status]) { $1 }
    }
}
