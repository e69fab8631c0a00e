import Testing
import ValiseComposition

/// What of some items can be forwarded.
struct ForwardPlanTests {
    @Test func `messages that are complete all go`() {
        let plan = ForwardPlan([.init(id: 3), .init(id: 1), .init(id: 2)])
        #expect(plan.items == [3, 1, 2])
        #expect(plan.isComplete && plan.problems.isEmpty)
    }

    @Test func `what a file lacks is named, and the text goes without it`() {
        let plan = ForwardPlan([
            .init(id: 1, file: .notAccepted), .init(id: 2, hasText: false, file: .notAccepted),
            .init(id: 3, file: .inProgress),
            .init(id: 4, hasText: false, file: .missing), .init(id: 5, file: .failed),
            .init(id: 6, isMessage: false),
            .init(id: 7, hasText: false),
        ])
        #expect(plan.items == [1, 3, 5, 7])
        #expect(plan.notAccepted == [1, 2])
        #expect(!plan.isComplete)
        #expect(
            plan.problems == [
                "2 files not accepted", "1 file still being received", "1 file missing",
                "1 file not received",
                "1 item without a message",
            ])
    }

    @Test func `nothing is nothing`() {
        let plan = ForwardPlan([])
        #expect(plan.items.isEmpty && plan.isComplete)
    }
}
