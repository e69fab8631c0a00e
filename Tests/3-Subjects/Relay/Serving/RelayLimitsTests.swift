import Testing

@testable import ValiseRelay

struct RelayLimitsTests {
    @Test(arguments: [100, 256, 1024, 3000, 4096, 1 << 20])
    func `a full relay has no more files open than it may`(descriptors: Int) {
        var limits = RelayLimits()
        limits.fit(descriptors: descriptors)
        #expect(limits.descriptors <= descriptors)
        #expect(limits.connectionsPerAddress < limits.connections)
        #expect(limits.connectionsOfLoopback < limits.connections)
        #expect(limits.connections >= 8 && limits.transfers >= 10)
        if descriptors >= 4096 { #expect(limits == RelayLimits()) }
    }

    @Test func `a usual limit leaves room for a group`() {
        var limits = RelayLimits()
        limits.fit(descriptors: 1024)
        #expect(limits.connections >= 500 && limits.transfers >= 300)
    }

    @Test func `five thousand connections need a descriptor each, and those of all transfers`() {
        var limits = RelayLimits()
        limits.connections = 5000
        #expect(limits.descriptors < 6200)
        let wanted = limits
        limits.fit(descriptors: 10_240)
        #expect(limits == wanted)
    }
}
