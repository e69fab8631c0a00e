import FaultInjection
import StoreContract
import Testing
import ValiseStorage

/// The promises of a store of objects, asked of each that needs no server.
struct ObjectStoreContractTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func emptyFolder() throws -> FolderObjectStore {
        let store = FolderObjectStore(folder.appending("store \(UInt64.random(in: 0 ... .max))"))
        try store.create()
        return store
    }

    @Test func `memory keeps the contract`() throws {
        try ObjectStoreContract().check { MemoryObjectStore() }
    }

    @Test func `a folder keeps the contract`() throws {
        try ObjectStoreContract(listedObjects: 500).check { try emptyFolder() }
    }

    @Test func `a folder behind retries and a limit of bandwidth keeps the contract`() throws {
        let clock = StoppedClock().clock
        try ObjectStoreContract(listedObjects: 100).check {
            RetryingObjectStore(
                BandwidthLimitedObjectStore(
                    try emptyFolder(), upload: 1_000_000, download: 1_000_000, clock: clock),
                clock: clock)
        }
    }

    @Test func `conditions hold between stores of one folder, which have nothing but its lock in common`()
        throws
    {
        let first = try emptyFolder()
        let others = (0..<3).map { _ in FolderObjectStore(first.folder) }
        try ObjectStoreContract().checkCounter([first] + others)
    }

    @Test func `a request or an answer that is lost does not break the contract behind retries`() throws {
        // One thread: where others go on meanwhile, a write whose answer was lost is theirs to judge.
        let contract = ObjectStoreContract(listedObjects: 10, threads: 1)
        let clock = StoppedClock().clock
        // None of the checks makes more calls.
        let last = 260
        for position in stride(from: FaultSweep.first(step: 12), through: last, by: FaultSweep.step(12)) {
            for fault in [
                FaultyStore.Fault.fail(FaultyStore.unreachable), .loseAnswer(FaultyStore.brokenAnswer),
            ] {
                try contract.check {
                    RetryingObjectStore(
                        FaultyObjectStore(MemoryObjectStore(), fault, at: position), clock: clock)
                }
            }
        }
    }

    // MARK: The contract itself

    @Test(arguments: BrokenObjectStore.Defect.allCases)
    func `a store that breaks a promise is found`(defect: BrokenObjectStore.Defect) throws {
        #expect(throws: ContractViolation.self) {
            try ObjectStoreContract(listedObjects: 20, threads: 4).check {
                BrokenObjectStore(MemoryObjectStore(), defect)
            }
        }
    }

    @Test func `a store that fails is found, whichever call it is`() throws {
        let contract = ObjectStoreContract(listedObjects: 10, threads: 1)
        for position in 2...20 {
            for fault in [FaultyStore.Fault.fail(FaultyStore.unreachable), .crash, .crashAfterwards] {
                #expect(throws: ContractViolation.self) {
                    try contract.check { FaultyObjectStore(MemoryObjectStore(), fault, at: position) }
                }
            }
        }
    }
}
