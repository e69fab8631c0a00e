import Testing
import ValiseEncoding

@testable import ValiseMoves

@Suite struct MoveStateTests {
    @Test func `an ID is told from a folder by its form`() {
        #expect(MoveSummary.isID("q8uzhbt72z"))
        for name in ["laptop", "q8uzhbt72", "q8uzhbt72zz", "q8uzhbt721", "Q8UZHBT72Z", "/8uzhbt72z"] {
            #expect(!MoveSummary.isID(name), "\(name)")
        }
    }

    /// Who may follow whom, as the guide's picture has it.
    private static let sending = """
        chatStopInProgress chatStopFailed passphraseNotSet passphraseConfirmation cancelling
        chatStopFailed chatStopInProgress cancelling
        passphraseNotSet chatStopInProgress cancelling
        passphraseConfirmation chatStopInProgress uploadConfirmation cancelling
        uploadConfirmation chatStopInProgress archiving cancelling
        archiving uploadProgress linkCreation finishing cancelling
        uploadProgress archiving uploadFailed linkCreation finishing cancelling
        uploadFailed archiving finishing cancelling
        linkCreation archiving linkShown finishing cancelling
        linkShown archiving finishing cancelling
        finishing archiving linkShown finished cancelling
        finished finished
        cancelling cancelled
        cancelled
        """

    private static let receiving = """
        pasteOrScanLink linkDownloading archiveVerification cancelling
        linkDownloading pasteOrScanLink downloadProgress downloadFailed archiveVerification cancelling
        downloadProgress pasteOrScanLink linkDownloading downloadFailed archiveVerification cancelling
        downloadFailed pasteOrScanLink linkDownloading archiveVerification cancelling
        archiveVerification pasteOrScanLink linkDownloading passphrase archiveImportFailed cancelling
        passphrase pasteOrScanLink linkDownloading archiveVerification archiveImport archiveImportFailed cancelling
        archiveImport linkDownloading archiveVerification archiveImportFailed migrationConfirmation cancelling
        archiveImportFailed pasteOrScanLink linkDownloading archiveVerification cancelling
        migrationConfirmation migration networkSettings cancelling
        migration migrationConfirmation networkSettings cancelling
        networkSettings proved cancelling
        proved finished cancelling
        finished
        cancelling cancelled
        cancelled
        """

    private static func table(_ text: String) -> [String: Set<String>] {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(uniqueKeysWithValues: lines.map { ($0[0], Set($0.dropFirst())) })
    }

    @Test("The sending side goes from a state to those that the flow has, and to no other")
    func sendingPairs() throws {
        let table = Self.table(Self.sending)
        #expect(table.count == SendingState.Name.allCases.count)
        for from in SendingState.Name.allCases {
            for to in SendingState.Name.allCases {
                try check(
                    Self.state(from), Self.state(to), table[from.rawValue]?.contains(to.rawValue) == true)
            }
        }
    }

    @Test("The receiving side too")
    func receivingPairs() throws {
        let table = Self.table(Self.receiving)
        #expect(table.count == ReceivingState.Name.allCases.count)
        for from in ReceivingState.Name.allCases {
            for to in ReceivingState.Name.allCases {
                try check(
                    Self.state(from), Self.state(to), table[from.rawValue]?.contains(to.rawValue) == true)
            }
        }
    }

    private func check<State: MoveState>(_ from: State, _ to: State, _ isAllowed: Bool) throws
    where State.Name: FlowName {
        do {
            #expect(try from.moved(to: to) == to)
            #expect(isAllowed, "\(from.name) to \(to.name)")
        } catch {
            #expect(error.kind == .wrongState)
            #expect(!isAllowed, "\(from.name) to \(to.name)")
        }
    }

    @Test("A state is the same after it was written and read")
    func coding() throws {
        for name in SendingState.Name.allCases {
            let state = try Self.state(name)
            #expect(state.name == name)
            #expect(try JSONText.decode(SendingState.self, from: JSONText.encode(state)) == state)
        }
        for name in ReceivingState.Name.allCases {
            let state = try Self.state(name)
            #expect(state.name == name)
            #expect(try JSONText.decode(ReceivingState.self, from: JSONText.encode(state)) == state)
        }
        #expect(throws: (any Error).self) {
            try JSONText.decode(SendingState.self, from: #"{"type":"linkLost"}"#)
        }
    }

    @Test func `a replaced database is noted under the keys that records of moves always had`() throws {
        let text = #"{"inode":7,"modificationNanoseconds":2,"modificationTime":1,"size":3}"#
        let previous = try JSONText.decode(ReceivingMove.Previous.self, from: text)
        let encoded = try JSONText.encode(previous)
        #expect(encoded == text)
    }

    private static func state(_ name: SendingState.Name) throws -> SendingState {
        let text = #"{"type":"\#(name.rawValue)","reason":"full","source":"removed"}"#
        return try JSONText.decode(SendingState.self, from: text)
    }

    private static func state(_ name: ReceivingState.Name) throws -> ReceivingState {
        try JSONText.decode(ReceivingState.self, from: #"{"type":"\#(name.rawValue)","reason":"full"}"#)
    }
}
