import DeviceMigration
import JSONCoding
import Testing

@Suite struct MoveStateTests {
    @Test("A state is the same after it was written and read", arguments: SendingState.Name.allCases)
    func sendingCoding(name: SendingState.Name) throws {
        let state = try Self.state(name)
        let text = try JSONText.encode(state)
        #expect(try JSONText.decode(SendingState.self, from: text) == state)
        #expect(state.name == name)
    }

    @Test("A state of the receiving side too", arguments: ReceivingState.Name.allCases)
    func receivingCoding(name: ReceivingState.Name) throws {
        let state = try Self.state(name)
        let text = try JSONText.encode(state)
        #expect(try JSONText.decode(ReceivingState.self, from: text) == state)
        #expect(state.name == name)
    }

    static func state(_ name: SendingState.Name) throws -> SendingState {
        let text = #"{"type":"\#(name.rawValue)","reason":"full","source":"removed"}"#
        return try JSONText.decode(SendingState.self, from: text)
    }

    static func state(_ name: ReceivingState.Name) throws -> ReceivingState {
        try JSONText.decode(ReceivingState.self, from: #"{"type":"\#(name.rawValue)","reason":"full"}"#)
    }
}
